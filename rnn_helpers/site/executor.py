"""Run notebooks side by side, in kernels that are spoken to in secret.

Kernels talk over sockets of this machine, and warn where anybody on it could listen.
"""

from __future__ import annotations

from pathlib import Path

from jupyter_cache.cache.main import JupyterCacheBase
from jupyter_cache.executors.basic import ExecutionWorkerLocalMProc, JupyterExecutorLocalMproc
from jupyter_cache.executors.utils import ExecutionResult, single_nb_execution
from traitlets.config import Config

ENCRYPTED = Config(KernelManager={"transport_encryption": "auto"})


class Cache(JupyterCacheBase):
    """What notebooks said when they ran, kept until their code has changed.

    jupyter-cache would look after each notebook whether it keeps too many, in two steps, and throw
    away what another worker writes between them.
    """

    def truncate_caches(self):
        """Keep all."""


class Worker(ExecutionWorkerLocalMProc):
    """Runs one notebook, in its folder."""

    @staticmethod
    def execute(project_nb, data) -> ExecutionResult:
        """Run a notebook as jupyter-cache does, but encrypted, and what a cell prints in one."""
        return single_nb_execution(
            project_nb.nb,
            cwd=str(Path(project_nb.uri).parent),
            timeout=data.timeout,
            allow_errors=data.allow_errors,
            config=ENCRYPTED,
            # What a cell prints comes in pieces, wherever the kernel happened to send it.
            coalesce_streams=True,
        )


class Executor(JupyterExecutorLocalMproc):
    """Runs several notebooks at a time, one on each core."""

    _EXECUTION_WORKER = Worker
