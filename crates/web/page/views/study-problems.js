// study-problems
