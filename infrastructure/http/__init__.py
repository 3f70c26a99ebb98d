"""Fairdeal over HTTP: an ASGI app to mount or to run; needs the extra `http`."""
