"""Samples as a 16-bit WAV file."""

from __future__ import annotations

LOUDEST = 32767


def wav_file(samples, rate, normalize: bool) -> bytes:
    """One row of samples, or one row per channel; `normalize` scales to the full range."""
    import sys
    import wave
    from array import array
    from io import BytesIO

    channels = _channels(samples)
    peak = max((abs(sample) for channel in channels for sample in channel), default=0)
    if not normalize and peak > 1:
        raise ValueError("Audio data must be between -1 and 1 when normalize=False.")
    scale = LOUDEST / (peak or 1) if normalize else LOUDEST
    interleaved = array("h", (int(sample * scale) for moment in zip(*channels) for sample in moment))
    if sys.byteorder == "big":
        interleaved.byteswap()
    file = BytesIO()
    with wave.open(file, "wb") as wav:
        wav.setnchannels(len(channels))
        wav.setsampwidth(2)
        wav.setframerate(int(rate))
        wav.writeframes(interleaved.tobytes())
    return file.getvalue()


def _channels(samples) -> list:
    rows = samples.tolist() if hasattr(samples, "tolist") else list(samples)
    several = bool(rows) and hasattr(rows[0], "__len__")
    return rows if several else [rows]
