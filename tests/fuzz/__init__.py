"""Files that are damaged, absurd or hostile, given to the commands that read them."""
