// study-common
