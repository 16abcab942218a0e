"""What a run or a file delivers: per-example outcomes, scores of runs × folds, tables of data sets × learners."""
