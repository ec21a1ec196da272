"""What is chosen before and between games: values and pure steps, without a device or a file of its own."""
