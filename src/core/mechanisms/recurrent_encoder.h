// The encoder: reads the source word by word, in one direction or both.
#pragma once

#include "core/mechanisms/recurrent_net.h"

namespace headlight {

struct EncodedSource {
    TensorId embed = 0;
    TensorId forward = 0;             // n × d: its states in this direction
    TensorId h = 0;                   // n × D: h_j = [→h_j | ←h_j]
    std::vector<TensorId> ends = {};  // 1 × d: the last state of each direction
};

EncodedSource add_encoder(RecurrentNet& net);

}  // namespace headlight
