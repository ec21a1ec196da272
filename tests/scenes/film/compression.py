"""Compresses a film as strongly as those that people share, and gives back what is left of its pictures."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import av
import cv2
import numpy as np

from table.observed_facts import END_NS, Delivery, Frame, Image
from table.simulation.players.simulated_game import World
from table.simulation.simulated_source import SimulatedSource
from tests.scenes.film.camera import FilmCamera
from tests.scenes.film.look import Codec

_FORMAT: Final = "matroska"
_OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "mpeg4": {"qmax": "31", "bf": "0"},
    "libx264": {"preset": "ultrafast", "bf": "0", "tune": "zerolatency"},
}


def compress(
    planes: Iterable[Image], size: tuple[int, int], fps: float, kbit_s: int, codec: Codec
) -> Iterator[Image]:
    """Yield pictures as they come out of a film of this bit rate, one for each that goes in (planes Y, U and V)."""
    film = io.BytesIO()
    with av.open(film, "w", format=_FORMAT) as container:
        stream = container.add_stream(codec, rate=round(fps), options=dict(_OPTIONS[codec]))
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.bit_rate = kbit_s * 1000
        stream.codec_context.thread_count = 1
        for picture in planes:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="yuv420p")))
        container.mux(stream.encode())
    film.seek(0)
    with av.open(film, "r", format=_FORMAT) as container:
        container.streams.video[0].codec_context.thread_count = 1
        for frame in container.decode(video=0):
            decoded = np.asarray(frame.to_ndarray(format="yuv420p"), np.uint8)
            yield np.asarray(cv2.cvtColor(decoded, cv2.COLOR_YUV2BGR_I420), np.uint8)


class CompressedSource(SimulatedSource):
    """Delivers a scene's frames as a film of that bit rate shows them."""

    def __init__(self, world: World, camera: FilmCamera, kbit_s: int, codec: Codec) -> None:
        super().__init__(world, camera=camera)
        self._film_camera, self._kbit_s, self._codec = camera, kbit_s, codec

    def deliveries(self) -> Iterator[Delivery]:
        """Yield one delivery a frame, then the end; there are no edges."""
        settings, scene, times = self.world.config.camera, self.world.scene, self.world.clock.times
        planes = (self._film_camera.render_planes(scene, t_ns, number) for number, t_ns in enumerate(times))
        left = compress(planes, settings.size, settings.fps, self._kbit_s, self._codec)
        for number, (t_ns, image) in enumerate(zip(times, left, strict=True)):
            yield Delivery(t_ns, (), Frame(t_ns, image, number), t_ns, t_ns + 1)
        yield Delivery(times[-1], (), None, END_NS, END_NS)
