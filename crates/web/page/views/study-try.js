// study-try
