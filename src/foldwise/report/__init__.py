"""Text, HTML and plots made from result objects; computes nothing."""
