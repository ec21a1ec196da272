"""Drawing tools: canvas, fonts, text fitting, icons, card faces and colours."""
