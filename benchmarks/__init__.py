"""Speed against a limit or a peer, side by side in one run; machines are noisy, so only ratios count."""
