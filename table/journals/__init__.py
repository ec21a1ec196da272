"""What comes of journals afterwards: found again, counted, compared with the truth, kept with a complaint."""
