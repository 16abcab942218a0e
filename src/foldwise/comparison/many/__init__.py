"""Several learners at once: their scores on several data sets, the tests of all pairs, and what they leave open."""
