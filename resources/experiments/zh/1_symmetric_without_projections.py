# 不投影：XXᵀ 是对称的
import torch

X = torch.tensor([
    [1.0, 0.5, -0.2, 0.8],
    [0.3, -0.6, 1.2, 0.1],
    [0.7, 0.9, 0.4, -0.5],
])

XXT = X @ X.T  # i 看 j 和 j 看 i 是同一个点积
print(XXT)
print("与转置的最大差：", (XXT - XXT.T).abs().max().item())
print("对称：", torch.allclose(XXT, XXT.T))
