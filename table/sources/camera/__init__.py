"""The live camera: devices, exposure control, time stamps and faults."""
