# 对角线不一定最大
import math

import torch

torch.manual_seed(1781)
words = ["猫", "坐", "垫子"]
X = torch.tensor([
    [1.0, 0.5, -0.2, 0.8],
    [0.3, -0.6, 1.2, 0.1],
    [0.7, 0.9, 0.4, -0.5],
])
W_Q = torch.nn.Linear(4, 3, bias=False)
W_K = torch.nn.Linear(4, 3, bias=False)

with torch.no_grad():
    weights = torch.softmax(W_Q(X) @ W_K(X).T / math.sqrt(3), dim=1)
print(weights)
for i, word in enumerate(words):
    j = int(weights[i].argmax())
    print(f"{word}：给自己 {weights[i, i]:.3f}，给得最多的是 {words[j]}（{weights[i, j]:.3f}）")
own = int((weights.argmax(1) == torch.arange(3)).sum())
print(f"最看重自己的行：{own} / 3")
