// study-openings
