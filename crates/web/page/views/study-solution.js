// study-solution
