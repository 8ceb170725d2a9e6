# Another head, another relation
import math

import torch

torch.manual_seed(1781)
words = ["cat", "sit", "mat"]
X = torch.tensor([
    [1.0, 0.5, -0.2, 0.8],
    [0.3, -0.6, 1.2, 0.1],
    [0.7, 0.9, 0.4, -0.5],
])

for head in range(3):  # the same words; every head has its own W_Q and W_K
    W_Q = torch.nn.Linear(4, 3, bias=False)
    W_K = torch.nn.Linear(4, 3, bias=False)
    with torch.no_grad():
        weights = torch.softmax(W_Q(X) @ W_K(X).T / math.sqrt(3), dim=1)
    print(f"head {head + 1}")
    print(weights)
