// study-probe
