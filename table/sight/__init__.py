"""Sight: from frames to card facts. Rectify, gate, detect, follow the pile."""
