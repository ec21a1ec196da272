"""Buttons: GPIO edges, debouncing, gestures and the lamps that answer them."""
