"""Compresses a film as strongly as those that people share, and gives back what is left of its pictures."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

import av
import numpy as np

from table.observed_facts import Delivery, Image
from table.simulation.players.simulated_game import World
from table.simulation.simulated_source import Camera, SimulatedSource
from tests.scenes.film.look import Codec

_FORMAT: Final = "matroska"
_OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "mpeg4": {"flags": "+qscale", "qmax": "31", "bf": "0"},
    "libx264": {"preset": "veryfast", "bf": "0", "tune": "zerolatency"},
}


def compress(
    pictures: Iterable[Image], size: tuple[int, int], fps: float, kbit_s: int, codec: Codec
) -> Iterator[Image]:
    """Yield the pictures as they come out of a film of this bit rate, one for each that goes in."""
    film = io.BytesIO()
    with av.open(film, "w", format=_FORMAT) as container:
        stream = container.add_stream(codec, rate=round(fps), options=dict(_OPTIONS[codec]))
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.bit_rate = kbit_s * 1000
        stream.codec_context.thread_count = 1
        for picture in pictures:
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="bgr24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    film.seek(0)
    with av.open(film, "r", format=_FORMAT) as container:
        for frame in container.decode(video=0):
            yield np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)


class CompressedSource(SimulatedSource):
    """Delivers a scene's frames as a film of that bit rate shows them."""

    def __init__(self, world: World, camera: Camera, kbit_s: int, codec: Codec) -> None:
        super().__init__(world, camera=camera)
        self._kbit_s, self._codec = kbit_s, codec

    def deliveries(self) -> Iterator[Delivery]:
        """Yield what the camera delivers, each frame compressed."""
        drawn = [*super().deliveries()]
        settings = self.world.config.camera
        frames = (delivery.frame.image for delivery in drawn if delivery.frame is not None)
        left = compress(frames, settings.size, settings.fps, self._kbit_s, self._codec)
        for delivery in drawn:
            frame = delivery.frame
            if frame is None:
                yield delivery
            else:
                yield replace(delivery, frame=replace(frame, image=next(left)))
