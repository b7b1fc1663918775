class CaptureError(Exception):
    """What cannot be recorded or shown, and what to do."""
