"""How PyTorch's registrations are told: schemas, computed tables, calls hop by hop, stubs' slots."""
