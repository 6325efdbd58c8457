// study-practice
