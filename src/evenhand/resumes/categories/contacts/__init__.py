"""How the person can be reached: e-mail, telephone, web addresses, street addresses."""
