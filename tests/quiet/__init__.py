"""Nothing leaves the table: what its commands open and write, watched from outside."""
