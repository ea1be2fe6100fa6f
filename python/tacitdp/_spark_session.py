# SPDX-License-Identifier: Apache-2.0
"""Is a Spark session closed enough for rows? Blocks are the rows, and answers are exact: Spark's
own encryption must cover its disks and its network."""

from __future__ import annotations

from typing import Any, Optional

from tacitdp._errors import ArgumentError, refuse_type

_HERE = ("localhost", "127.0.0.1", "[::1]", "::1")


def session_of(frame: Any) -> Any:
    """The session of a Spark DataFrame, by Spark's own classes or over Spark Connect."""
    module = type(frame).__module__
    if not module.startswith("pyspark.sql.") or not hasattr(frame, "mapInArrow"):
        kind = f"{module}.{type(frame).__name__}"
        refuse_type(f"tacitdp.spark takes a DataFrame of Spark, not {kind}; for rows in memory and "
                    "files take the estimators of tacitdp")
    if frame.isStreaming:
        refuse_type("a streaming DataFrame has no end, and a run needs all rows; write it to a "
                    "table and read that")
    return frame.sparkSession


def check_closed(session: Any) -> None:
    """Refuses a session that would write rows or send them in the clear."""
    lacking = []
    if not _is_on(session, "spark.io.encryption.enabled"):
        lacking.append("spark.io.encryption.enabled=true (persisted and shuffled rows on disks)")
    # without authentication Spark has no keys, and network.crypto does nothing
    crypto = (_is_on(session, "spark.network.crypto.enabled")
              and _is_on(session, "spark.authenticate"))
    if not _is_local(session) and not crypto and not _is_on(session, "spark.ssl.rpc.enabled"):
        lacking.append("spark.authenticate=true with spark.network.crypto.enabled=true, or "
                       "spark.ssl.rpc.enabled=true (rows and exact answers between machines)")
    if not _client_is_closed(session):
        lacking.append("use_ssl=true in the address of Spark Connect (exact answers on their way "
                       "to this process)")
    if lacking:
        raise ArgumentError(
            "this Spark session would keep or send rows in the clear; it lacks "
            + "; ".join(lacking) + ". Set this where the session is made, or say "
            "fit(..., allow_plaintext=True) if every disk and network under it is closed")


def _setting(session: Any, name: str) -> Optional[str]:
    value = session.conf.get(name, None)
    return None if value is None else str(value)


def _is_on(session: Any, name: str) -> bool:
    return (_setting(session, name) or "").lower() == "true"


def _is_local(session: Any) -> bool:
    """One process has it all: there is no network, but there are disks."""
    master = _setting(session, "spark.master") or ""
    return master == "local" or master.startswith("local[")


def _client_is_closed(session: Any) -> bool:
    """Of Spark Connect: the way from its server to this process."""
    if ".connect." not in type(session).__module__:
        return True
    client = session.client
    builder = getattr(client, "_builder", None)
    return bool(getattr(builder, "use_ssl", False)) or getattr(client, "host", None) in _HERE
