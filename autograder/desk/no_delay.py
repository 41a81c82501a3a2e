"""A connection to a kernel with TCP_NODELAY, so that a picture follows its slider.

JupyterLab uses it if `autograder course` has started it. By Nagle's algorithm TCP holds a small
message back until the previous one is acknowledged, which a browser may do 40 ms later. Jupyter's
own server does not switch this off.
"""

from __future__ import annotations

from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class NoDelay(ZMQChannelsWebsocketConnection):
    """Jupyter's own connection of a browser to a kernel, without the delay of Nagle's algorithm."""

    def connect(self) -> Any:
        if self.websocket_handler.ws_connection is not None:  # the browser is still there
            self.websocket_handler.set_nodelay(True)
        return super().connect()
