"""Several sentences are stacked in one matrix; here they come apart."""


def per_sentence(x, groups):
    return x.reshape(groups, -1, x.shape[1])


def stacked(x):
    return x.reshape(-1, x.shape[-1])
