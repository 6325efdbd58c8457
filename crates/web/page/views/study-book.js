// study-book
