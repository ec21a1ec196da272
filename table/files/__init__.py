"""Reading and writing of files: reads are limited and errors take one line; writes are atomic."""
