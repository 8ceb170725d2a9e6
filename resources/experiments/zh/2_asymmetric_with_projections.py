# 两个投影：QKᵀ 一般不对称
import torch

torch.manual_seed(1)
X = torch.tensor([
    [1.0, 0.5, -0.2, 0.8],
    [0.3, -0.6, 1.2, 0.1],
    [0.7, 0.9, 0.4, -0.5],
])
W_Q = torch.nn.Linear(4, 3, bias=False)  # 想找什么
W_K = torch.nn.Linear(4, 3, bias=False)  # 能提供什么

with torch.no_grad():
    scores = W_Q(X) @ W_K(X).T
print(scores)
print("与转置的最大差：", (scores - scores.T).abs().max().item())
print("对称：", torch.allclose(scores, scores.T))
