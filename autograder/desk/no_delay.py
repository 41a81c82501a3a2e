"""A connection to a kernel with TCP_NODELAY, so that a picture follows its slider.

JupyterLab uses it where `autograder course` starts it. By Nagle's algorithm TCP keeps a small
message back until the one before has been acknowledged, which browsers do after up to 40 ms;
Jupyter's server leaves it at that.
"""

from __future__ import annotations

from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class NoDelay(ZMQChannelsWebsocketConnection):
    """Jupyter's own connection of a browser to a kernel, without that delay."""

    def connect(self) -> Any:
        if self.websocket_handler.ws_connection is not None:  # the browser is still there
            self.websocket_handler.set_nodelay(True)
        return super().connect()
