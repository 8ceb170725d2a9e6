# 换一组投影，换一种关系
import math

import torch

torch.manual_seed(1781)
X = torch.tensor([
    [1.0, 0.5, -0.2, 0.8],
    [0.3, -0.6, 1.2, 0.1],
    [0.7, 0.9, 0.4, -0.5],
])

for head in range(3):  # 同样的词，每个头有自己的 W_Q、W_K
    W_Q = torch.nn.Linear(4, 3, bias=False)
    W_K = torch.nn.Linear(4, 3, bias=False)
    with torch.no_grad():
        weights = torch.softmax(W_Q(X) @ W_K(X).T / math.sqrt(3), dim=1)
    print(f"头 {head + 1}")
    print(weights)
