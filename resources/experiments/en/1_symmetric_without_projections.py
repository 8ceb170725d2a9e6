# Without projections XXᵀ is symmetric
import torch

X = torch.tensor([
    [1.0, 0.5, -0.2, 0.8],
    [0.3, -0.6, 1.2, 0.1],
    [0.7, 0.9, 0.4, -0.5],
])

XXT = X @ X.T  # i against j and j against i are one and the same dot product
print(XXT)
print("largest difference to its transpose:", (XXT - XXT.T).abs().max().item())
print("symmetric:", torch.allclose(XXT, XXT.T))
