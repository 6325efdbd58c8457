// study-endings
