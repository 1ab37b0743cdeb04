#version 330 core
#include "rates.glsl"
#define RATE 0.19

layout(location = 0) in vec3 position;
uniform sampler2D image;
out vec4 colour;

const float GAMMA = 2.2;

struct Light {
    vec3 direction;
    float strength;
};

// vec3 commented() { return vec3(0.0); }

/* vec3 alsoCommented() {
} */

// Adds light.
vec3 lit(vec3 base, Light light) {
    float amount = max(dot(position, light.direction), 0.0);
    if (amount > 0.0) {
        base += amount * light.strength;
    }
    return pow(base, vec3(1.0 / GAMMA));
}

float declared(float x);

void main()
{
    Light light = Light(vec3(0.0, 1.0, 0.0), 1.0);
    colour = vec4(lit(texture(image, position.xy).rgb, light), 1.0);
}
