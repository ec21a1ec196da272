"""Debian's Chromium without a window, driven through its chromedriver: for the page of a game."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

PROGRAMS = ("chromium", "chromedriver")


def is_installed() -> bool:
    """Whether this machine has the browser and its driver."""
    return None not in map(shutil.which, PROGRAMS)


class Browser:
    """A browser with one page open."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(self, path: Path, size: tuple[int, int]) -> None:
        """Open a page in a window of this size."""
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.get(path.as_uri())

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def run(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def picture(self) -> bytes:
        """What the window shows, as a PNG."""
        return self.driver.get_screenshot_as_png()

    def log(self, kind: str) -> list[Any]:
        """All entries of the browser's own log of this kind since the last time."""
        return list(self.driver.get_log(kind))  # type: ignore[no-untyped-call]

    def requested(self) -> set[str]:
        """All addresses that were requested since the last time."""
        entries = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        sent = [entry["params"] for entry in entries if entry["method"] == "Network.requestWillBeSent"]
        return {params["request"]["url"] for params in sent}


@contextmanager
def open_browser(profile: Path) -> Iterator[Browser]:
    """Run a browser that keeps what it writes in the folder ``profile``."""
    options = webdriver.ChromeOptions()
    chromium, driver_program = map(shutil.which, PROGRAMS)
    assert chromium is not None
    options.binary_location = chromium
    arguments = ["--headless=new", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking"]
    arguments += ["--no-sandbox"] if os.geteuid() == 0 else []
    for argument in (*arguments, "--disable-dev-shm-usage", f"--user-data-dir={profile}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(driver_program))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
