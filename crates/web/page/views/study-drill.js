// study-drill
