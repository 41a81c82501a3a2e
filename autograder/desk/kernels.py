"""Start kernels that count visible tests, in the JupyterLab that `autograder course` starts.

An option of JupyterLab names the class, so no notebook and no setting of the student's changes.
"""

from __future__ import annotations

from jupyter_server.services.kernels.kernelmanager import ServerKernelManager

LAUNCHER = "ipykernel_launcher"  # the module that starts a kernel of IPython


class CountingKernelManager(ServerKernelManager):
    """Jupyter's own manager of a kernel, which loads `visible_tests` into kernels of IPython."""

    def format_kernel_cmd(self, extra_arguments: list[str] | None = None) -> list[str]:
        command = super().format_kernel_cmd(extra_arguments)
        if LAUNCHER not in command:
            return command
        return [*command, "--InteractiveShellApp.extra_extensions=autograder.desk.visible_tests"]
