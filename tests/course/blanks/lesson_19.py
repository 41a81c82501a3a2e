"""Wrong answers to the blank of lesson 19, which its check turns away."""

HEAD = "def log_ratio(score, mean_in, deviation_in, mean_out, deviation_out):\n"

WRONG = {
    "log_ratio": [
        HEAD + "    return score - (mean_in + mean_out) / 2",
        f"""
{HEAD}    inside = -(((score - mean_in) / deviation_in) ** 2) / 2
    outside = -(((score - mean_out) / deviation_out) ** 2) / 2
    return inside - outside
""",
        f"""
{HEAD}    inside = -(((score - mean_in) / deviation_in) ** 2) / 2 - np.log(deviation_in)
    outside = -(((score - mean_out) / deviation_out) ** 2) / 2 - np.log(deviation_out)
    return outside - inside
""",
        f"""
{HEAD}    inside = -((score - mean_in) ** 2) / deviation_in / 2 - np.log(deviation_in)
    outside = -((score - mean_out) ** 2) / deviation_out / 2 - np.log(deviation_out)
    return inside - outside
""",
        f"""
{HEAD}    inside = np.exp(-(((score - mean_in) / deviation_in) ** 2) / 2) / deviation_in
    outside = np.exp(-(((score - mean_out) / deviation_out) ** 2) / 2) / deviation_out
    return inside / outside
""",
    ],
}
