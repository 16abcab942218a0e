"""Plans: which examples train and which test."""
