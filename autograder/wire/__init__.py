"""The connection between the two processes: plain values, stand-ins, and calls over a socket.

Begin with `contract.py` (input and output of the two processes) and `messages.py` (all messages).
"""
