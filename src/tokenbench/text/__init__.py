"""What tasks are made of: languages and their units, folding, numbers, lexicons, passages."""
