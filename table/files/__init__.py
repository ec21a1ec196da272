"""Files that people give: read with limits, and what is wrong with them said in a line."""
