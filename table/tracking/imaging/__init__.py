"""Image processing for tracking: stabilization, motion, registration, focus, texture."""
