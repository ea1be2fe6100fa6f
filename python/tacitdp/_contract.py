# SPDX-License-Identifier: Apache-2.0
"""scikit-learn's contract without scikit-learn: parameters, tags, and the output of `transform`."""

from __future__ import annotations

import difflib
import functools
import inspect
import sys
from typing import Any, Callable, TypeVar

import numpy as np
import numpy.typing as npt

from tacitdp._errors import refuse, refuse_type

Self = TypeVar("Self", bound="Contract")
Function = TypeVar("Function", bound=Callable[..., Any])

_REFUSED = {
    "random_state": "random_state would make the noise predictable, and so undo it; leave it out, "
                    "or for tests alone take insecure_test_seed, whose release says that it is not "
                    "private",
    "accountant": "a BudgetAccountant lives in one process and forgets when it ends; take ledger, "
                  "a file that reserves the budget before a row is read",
}


# what other libraries call it, and what it is here
_CALLED = {"eps": "epsilon", "k": "n_clusters", "n_jobs": "threads", "verbose": "progress"}

_NONE = {
    "labels_": "labels are exact, so they are no part of what was paid for: predict(rows) gives "
               "them to the owner of the rows",
    "inertia_": "the cost is exact, so it is no part of what was paid for: score(rows) and "
                "tacitdp.evaluate give it to the owner of the rows",
    "n_iter_": "release_.rounds says how often it went over the rows",
}


def reasoned(init: Function) -> Function:
    """An __init__ that says why it does not take what other libraries take, and what a word that
    it does not know may stand for."""
    known = [name for name in inspect.signature(init).parameters if name != "self"]

    @functools.wraps(init)
    def checked(self: Any, *arguments: Any, **named: Any) -> None:
        for name in named:
            if name in _REFUSED:
                refuse_type(_REFUSED[name])
            if name not in known:
                refuse_type(f"{type(self).__name__} got an unexpected keyword argument {name!r}; "
                            + _meant(name, known))
        init(self, *arguments, **named)

    return checked  # type: ignore[return-value]


def _meant(name: str, known: list[str]) -> str:
    near = [_CALLED[name]] if _CALLED.get(name) in known else \
        difflib.get_close_matches(name, known, 1)
    return f"did you mean {near[0]!r}?" if near else "it takes " + ", ".join(known)


class NotFittedError(ValueError, AttributeError):
    """An estimator that was not fitted has nothing to show."""


def not_fitted(sentence: str) -> Exception:
    """scikit-learn's own exception where it is in use, since its callers catch that."""
    module = sys.modules.get("sklearn.exceptions")
    kind: Any = NotFittedError if module is None else module.NotFittedError
    error: Exception = kind(sentence)
    return error


class Contract:
    """Parameters are the arguments of __init__, kept as they were given: what clone needs."""

    _estimator_type = "clusterer"

    @classmethod
    def _param_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters, as `clone` and grid searches want them."""
        return {name: getattr(self, name) for name in sorted(self._param_names())}

    def set_params(self: Self, **params: Any) -> Self:
        """Set parameters by name."""
        names = self._param_names()
        for name, value in params.items():
            if name not in names:
                refuse(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: "
                       f"{sorted(names)!r}.")
            setattr(self, name, value)
        return self

    def __getattr__(self, name: str) -> Any:
        """For what is not there: why. Fitted attributes end with _, as scikit-learn's do."""
        kind = type(self).__name__
        if name in _NONE:
            raise AttributeError(f"{kind!r} object has no attribute {name!r}: {_NONE[name]}")
        if name.endswith("_") and not name.startswith("_") and "release_" not in self.__dict__:
            raise AttributeError(f"{kind!r} object has no attribute {name!r}: it is not fitted "
                                 "yet; call fit with rows first")
        raise AttributeError(f"{kind!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        said = [f"{name}={getattr(self, name)!r}" for name in self._param_names()
                if hasattr(self, name) and not _same(getattr(self, name), defaults[name].default)]
        return f"{type(self).__name__}({', '.join(said)})"

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "release_")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(estimator_type="clusterer", target_tags=TargetTags(required=False),
                    transformer_tags=TransformerTags(preserves_dtype=[])
                    if hasattr(self, "transform") else None,
                    # noise is fresh; a missing value has a rule, and refusing one would show it
                    input_tags=InputTags(sparse=True, allow_nan=True), non_deterministic=True)


def _same(value: Any, default: Any) -> bool:
    return value is default or (isinstance(value, (int, float, str)) and value == default)


class Distances(Contract):
    """`transform` gives distances; `set_output` says as what."""

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """Names of what `transform` gives: kmeans0, kmeans1, ..."""
        released: Any = self
        stem = type(self).__name__.lower()
        return np.array([f"{stem}{i}" for i in range(released._released().k)], dtype=object)

    def set_output(self: Self, *, transform: Any = None) -> Self:
        """What `transform` gives: "default" (an array), "pandas" or "polars"."""
        if transform not in (None, "default", "pandas", "polars"):
            refuse("set_output takes transform=\"default\", \"pandas\" or \"polars\"")
        if transform is not None:
            self._output = transform
        return self

    def _presented(self, values: npt.NDArray[np.float64], rows: Any) -> Any:
        """An array as set_output wants it."""
        wanted = getattr(self, "_output", None) or _configured()
        if wanted == "default":
            return values
        names = list(self.get_feature_names_out())
        if wanted == "polars":
            import polars

            return polars.DataFrame(values, schema=names, orient="row")
        import pandas

        return pandas.DataFrame(values, columns=names, index=getattr(rows, "index", None))


def _configured() -> str:
    """scikit-learn's own setting, where it is in use."""
    module: Any = sys.modules.get("sklearn")
    return "default" if module is None else str(module.get_config().get("transform_output",
                                                                        "default"))
