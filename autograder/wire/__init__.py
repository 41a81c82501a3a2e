"""The connection between the rooms: plain values, stand-ins for other objects, calls over a socket.

Begin with `contract.py` (the input and output of the rooms) and `messages.py` (all messages).
"""
