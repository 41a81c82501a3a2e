"""What passes between the rooms: plain values, stand-ins for the rest, and calls over a socket.

Begin with `contract.py` (what goes in and comes out) and `messages.py` (all that can be said).
"""
