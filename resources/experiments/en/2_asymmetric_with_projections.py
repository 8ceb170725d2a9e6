# With two projections QKᵀ is in general not symmetric
import torch

torch.manual_seed(1)
X = torch.tensor([
    [1.0, 0.5, -0.2, 0.8],
    [0.3, -0.6, 1.2, 0.1],
    [0.7, 0.9, 0.4, -0.5],
])
W_Q = torch.nn.Linear(4, 3, bias=False)  # what a word looks for
W_K = torch.nn.Linear(4, 3, bias=False)  # what it offers

with torch.no_grad():
    scores = W_Q(X) @ W_K(X).T
print(scores)
print("largest difference to its transpose:", (scores - scores.T).abs().max().item())
print("symmetric:", torch.allclose(scores, scores.T))
