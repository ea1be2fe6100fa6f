# SPDX-License-Identifier: Apache-2.0
"""What tacit links to, built with musl instead of glibc, for tools/portability.
Debian has musl and its compiler, but libraries only for glibc. Their sources are Debian's too; they
come through a list of the tool's own, so the machine's settings stay as they are."""
import shutil
import subprocess

SUITE = "bookworm"
TOOLS = ["musl-tools", "dpkg-dev", "autoconf", "automake", "libtool", "tcl", "liblapack-dev"]

# Without Fortran there is no LAPACK: tacit does not call it, but the shared BLAS needs it.
# Kernels of one old processor suffice, and are compiled sooner than those of all.
BLAS = ("CC=musl-gcc HOSTCC=gcc NOFORTRAN=1 NO_LAPACK=1 NO_LAPACKE=1 NO_SHARED=1 TARGET=NEHALEM "
        "NUM_THREADS=8")
BUILD = {
    "zlib": "CC=musl-gcc ./configure --prefix={root}; make -j2; make install",
    "sqlite3": "./configure CC=musl-gcc --prefix={root} --disable-static --disable-tcl "
               "--disable-readline; make -j2 install",
    "libsodium": "autoreconf -fi; ./configure CC=musl-gcc --prefix={root} --disable-static; "
                 "make -j2 install",
    "openblas": f"make -j2 {BLAS} libs netlib; make {BLAS} PREFIX={{root}} install",
}


def sources(place):
    """Debian's source packages, in folders called as they are."""
    apt = place / "apt"
    (apt / "lists" / "partial").mkdir(parents=True)
    (apt / "archives" / "partial").mkdir(parents=True)
    # Where this machine has its Debian from.
    site = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)",
                           f"Codename: {SUITE}", "Created-By: Packages"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.split()[0]
    (apt / "sources.list").write_text(f"deb-src {site} {SUITE} main\n")
    own = ["-qq", "-o", f"Dir::Etc::SourceList={apt / 'sources.list'}",
           "-o", "Dir::Etc::SourceParts=/dev/null", "-o", f"Dir::State::Lists={apt / 'lists'}",
           "-o", f"Dir::Cache={apt}", "-o", "APT::Sandbox::User=root"]
    subprocess.run(["apt-get", *own, "update"], check=True)
    # Each is checked against the list, which is signed.
    subprocess.run(["apt-get", *own, "--download-only", "source", *BUILD], check=True, cwd=place,
                   stdout=subprocess.DEVNULL)
    for name in BUILD:
        subprocess.run(["dpkg-source", "--no-check", "-x", *place.glob(f"{name}_*.dsc"),
                        place / name], check=True, stdout=subprocess.DEVNULL)


def libraries(folder):
    """Their headers and archives in folder/root, made once."""
    place, root = folder / "sources", folder / "root"
    if (root / "made").exists():
        return root
    shutil.rmtree(place, ignore_errors=True)
    shutil.rmtree(root, ignore_errors=True)
    place.mkdir(parents=True)
    sources(place)
    for name, words in BUILD.items():
        with open(folder / f"{name}.log", "w", encoding="utf-8") as log:
            done = subprocess.run(["nice", "sh", "-ec", words.format(root=root)], cwd=place / name,
                                  stdout=log, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            raise SystemExit(f"tools/portability: {name} does not build; see {log.name}")
    (root / "made").touch()
    return root


def native(folder):
    """Meson's description of a machine whose C library is musl."""
    root = libraries(folder)
    file = folder / "native.ini"
    file.write_text(f"""[binaries]
c = 'musl-gcc'
[built-in options]
pkg_config_path = ['{root}/lib/pkgconfig']
""")
    return file
