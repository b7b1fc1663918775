"""A job of two processes: torchrun distributed_job.py PATH ddp|fsdp|heads"""

import sys

import torch
from torch import nn

from headlight_capture import capture


def encoder():
    torch.manual_seed(7)
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    return nn.TransformerEncoder(layer, 2).eval()


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x)[0]


def sharded(model, how):
    if how == "ddp":
        return nn.parallel.DistributedDataParallel(model)
    from torch.distributed.fsdp import fully_shard

    for layer in model.layers:
        fully_shard(layer)
    return fully_shard(model)


def main(path, how):
    torch.distributed.init_process_group("gloo")
    rank = torch.distributed.get_rank()
    if how == "heads":
        torch.manual_seed(rank)
        model, lengths, tokens = Reader().eval(), [3], [list("abc")]
    else:
        model, lengths = sharded(encoder(), how), [[3, 5], [4, 6]][rank]
        tokens = [[f"r{rank}{'ab'[i]}"] * n for i, n in enumerate(lengths)]
    split = "heads" if how == "heads" else "texts"
    with torch.no_grad(), capture(model, path, tokens=tokens, split=split):
        for n in lengths:
            model(torch.randn(1, n, 8, generator=torch.Generator().manual_seed(n)))
    del model
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


main(*sys.argv[1:])
